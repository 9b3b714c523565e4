/** Groups of options that several commands share, and what turns their words into values. */
package org.trellis.bench.option;
