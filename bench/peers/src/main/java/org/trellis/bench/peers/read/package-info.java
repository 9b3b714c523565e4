/** How fast matrix files are read, by Trellis and by others. */
package org.trellis.bench.peers.read;
