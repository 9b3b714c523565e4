/** The adapter to ojAlgo. */
package org.trellis.bench.adapters.ojalgo;
