/**
 * Run-time tuning (thesis, section 4.5.2): the products that a program makes anyway are run in slightly different ways
 * until the best way is found.
 */
package org.trellis.tuner.product.online;
