/** The entry point of the command line. */
package org.trellis.bench;
