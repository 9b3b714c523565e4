/** Commands on matrix files: list, inspect, generate, convert, and time their reading. */
package org.trellis.bench.matrix;
