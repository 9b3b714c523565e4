/** Operations on vectors and dot products. */
package org.trellis.internal.threads.vector;
