/** The command that solves a system. */
package org.trellis.bench.solve;
