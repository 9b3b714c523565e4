/** Meshes and metrics of adaptation from and to files; needs module {@code matrices}. */
package org.trellis.adapt.file;
