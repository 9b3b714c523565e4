/** Texts that came from somebody else, made fit to be shown. */
package org.trellis.bench.text;
