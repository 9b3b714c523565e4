/** Learned models: which parameters suit a matrix. Plain data, evaluated here without any learning library. */
package org.trellis.tuner.model;
