/**
 * Native libraries that core can use if they are installed: the graph partitioners METIS and Scotch. The only package
 * of
 * core with foreign functions; nobody imports it, its classes are found as services.
 */
package org.trellis.internal.foreign;
