/** The rules that kernels have to keep, one class each. They see the model only. */
package org.trellis.processor.check;
