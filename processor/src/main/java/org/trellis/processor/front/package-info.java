/**
 * From javac's syntax trees to the model. The compiler has not attributed expressions when processors run, so names are
 * resolved and expressions typed here; what the kernel language lacks is refused at its place.
 */
package org.trellis.processor.front;
