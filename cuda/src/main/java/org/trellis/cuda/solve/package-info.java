/** Methods that run on a CUDA device as one kernel. */
package org.trellis.cuda.solve;
