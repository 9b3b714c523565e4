/**
 * Products, polynomials, Krylov bases and smoothers that exchange once for as many steps as the halo has rings.
 */
package org.trellis.distributed.powers;
