/**
 * What every command needs of a terminal: streams, progress, tables, exit codes, files that are written whole or not at
 * all, and problems said in one sentence.
 */
package org.trellis.bench.console;
