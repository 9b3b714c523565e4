/**
 * How files are written: all at once or not at all, with the permissions of what they replace, and without leaving
 * temporary files behind.
 */
package org.trellis.file;
