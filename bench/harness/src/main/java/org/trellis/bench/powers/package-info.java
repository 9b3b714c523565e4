/** The command that multiplies on several ranks, with halos of one ring and more. */
package org.trellis.bench.powers;
