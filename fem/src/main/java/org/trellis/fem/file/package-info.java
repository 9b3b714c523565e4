/** Meshes of finite elements from files; needs module {@code matrices}. */
package org.trellis.fem.file;
