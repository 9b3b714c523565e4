/** Inner loops of integrals by the Vector API. */
package org.trellis.fem.simd;
