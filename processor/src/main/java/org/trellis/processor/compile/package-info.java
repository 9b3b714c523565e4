/**
 * A compiler within the compiler: SIMD loops need the Vector API's module, which the user's own compilation does not
 * have and need not have, so they are compiled apart, in memory.
 */
package org.trellis.processor.compile;
