/** Errors in kernels: stable codes, places, and where they are reported. */
package org.trellis.processor.diagnostic;
