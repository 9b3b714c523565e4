/** Small programs that show one thing each, in the order in which a newcomer meets them. */
package org.trellis.examples;
