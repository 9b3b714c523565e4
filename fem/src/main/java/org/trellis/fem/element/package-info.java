/** Reference elements of finite element methods: shapes, Lagrange bases, quadrature. */
package org.trellis.fem.element;
