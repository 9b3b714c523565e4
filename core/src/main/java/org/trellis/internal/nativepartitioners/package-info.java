/**
 * The graph partitioners METIS and Scotch, native libraries that core can use if they are installed. The only package
 * of core with foreign functions; no other imports it, its classes are found as services.
 */
package org.trellis.internal.nativepartitioners;
