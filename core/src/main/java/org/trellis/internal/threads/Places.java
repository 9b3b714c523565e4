package org.trellis.internal.threads;

/**
 * Where a loop over three arrays begins in each of them.
 *
 * @param first  the first element of the first array
 * @param second the first element of the second array
 * @param third  the first element of the third array
 * @param count  how many elements of each
 */
record Places(int first, int second, int third, int count) {}
