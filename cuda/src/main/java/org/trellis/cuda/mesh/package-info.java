/** The parallel loops of the mesh runtime on CUDA devices: generated for each loop, compiled at run time. */
package org.trellis.cuda.mesh;
