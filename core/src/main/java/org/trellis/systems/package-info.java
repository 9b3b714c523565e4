/**
 * Systems of linear equations in a few lines: the solvers, preconditioners and backends of the other packages behind
 * one object with typed options.
 */
package org.trellis.systems;
