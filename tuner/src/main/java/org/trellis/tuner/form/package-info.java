/** Tuning of finite element systems: storage, formulation, scheme and size of blocks, by assemblies and products. */
package org.trellis.tuner.form;
