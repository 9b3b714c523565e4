/** Loops over sets, patterns, chains and their reductions. */
package org.trellis.internal.threads.loop;
