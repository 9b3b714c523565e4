/** The adapter to Smile. */
package org.trellis.bench.adapters.smile;
