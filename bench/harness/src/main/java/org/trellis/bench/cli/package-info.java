/** The commands of the command line. The only package that prints. */
package org.trellis.bench.cli;
