/** What the adapters to other libraries share. */
package org.trellis.bench.adapters;
