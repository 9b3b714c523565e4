/**
 * Run-time tuning (thesis, section 4.5.2): the products that a program makes anyway are run with slightly different
 * parameters until the best is found.
 */
package org.trellis.tuner.product.online;
