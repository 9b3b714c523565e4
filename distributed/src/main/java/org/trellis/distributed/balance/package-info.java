/**
 * How a mesh is shared out to ranks of different speed: a model of what an iteration takes for any shares, from what
 * loops took in some iterations (I. Z. Reguly, PhD thesis, 2014, section 6.3), and what divides the mesh again when
 * that pays.
 */
package org.trellis.distributed.balance;
