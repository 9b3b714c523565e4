/**
 * The native boundary: the calls of the CUDA driver ({@link org.trellis.cuda.driver.CudaDriver}) and of NVRTC
 * ({@link org.trellis.cuda.driver.Nvrtc}) that Trellis makes, as interfaces. Nothing above this package touches native
 * code, so that everything above can be tested on a machine without a GPU.
 */
package org.trellis.cuda.driver;
