/** The adapter to EJML. */
package org.trellis.bench.adapters.ejml;
