/** Direct solvers beside one another: factors of Trellis and of other libraries, their sizes, times and errors. */
package org.trellis.bench.direct;
