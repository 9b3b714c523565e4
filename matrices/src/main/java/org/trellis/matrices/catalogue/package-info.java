/**
 * Named matrices: real ones that come with the library, those in folders named by configuration, presets of the
 * generators, and surrogates of the 44 matrices of I. Z. Reguly's thesis (2014, section 4.5.1).
 *
 * <p>{@link org.trellis.matrices.catalogue.Catalogue} is the entry point. What is published about the 44 matrices is in
 * {@link org.trellis.matrices.catalogue.ThesisMatrix}; a {@link org.trellis.matrices.catalogue.Surrogate} has their
 * rows, columns and non-zeros and their row lengths' mean and deviation, and is never called by their name alone.
 */
package org.trellis.matrices.catalogue;
