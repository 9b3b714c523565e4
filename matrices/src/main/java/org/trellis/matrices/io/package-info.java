/** Options that the readers and writers of all matrix formats share. */
package org.trellis.matrices.io;
