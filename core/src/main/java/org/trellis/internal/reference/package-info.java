/** The {@code reference} backend: sequential, plainly right, the answer that every other backend is tested against. */
package org.trellis.internal.reference;
