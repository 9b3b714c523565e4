/** Writes generated code: scalar Java, Java with the Vector API, CUDA C, and the class that offers them. */
package org.trellis.processor.emit;
