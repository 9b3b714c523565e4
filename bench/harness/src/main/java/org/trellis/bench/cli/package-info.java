/** The command line as a whole: the main command, what it finds on the class path, and commands on no matrix. */
package org.trellis.bench.cli;
