/**
 * Compiles CUDA C at run time for the device at hand, by NVRTC or else by nvcc, and keeps the machine code in a cache
 * on disk.
 */
package org.trellis.cuda.compile;
