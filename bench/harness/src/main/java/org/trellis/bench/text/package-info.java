/** Texts from outside, made fit to be shown. */
package org.trellis.bench.text;
