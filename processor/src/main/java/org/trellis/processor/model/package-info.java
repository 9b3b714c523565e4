/** Kernels as the processor sees them: records of typed expressions and statements, without compiler types. */
package org.trellis.processor.model;
