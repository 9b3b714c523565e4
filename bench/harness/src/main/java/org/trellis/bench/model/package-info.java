/** The command that predicts what steps take on more ranks, and other networks, than there are. */
package org.trellis.bench.model;
