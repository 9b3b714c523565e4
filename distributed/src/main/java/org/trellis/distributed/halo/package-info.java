/**
 * Halos of several rings: which elements of other ranks a rank needs to multiply several times after one exchange,
 * which rows it then computes redundantly, and the exchange itself (I. Z. Reguly, PhD thesis, 2014, section 4.5.3; M.
 * Mohiyuddin, M. Hoemmen, J. Demmel, K. Yelick, algorithm PA1).
 */
package org.trellis.distributed.halo;
