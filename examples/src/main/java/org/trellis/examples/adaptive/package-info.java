/** Poisson's equation on meshes that follow the error of its solution. */
package org.trellis.examples.adaptive;
