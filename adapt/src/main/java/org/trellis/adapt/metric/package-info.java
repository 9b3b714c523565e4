/** Metrics that say how long the edges of a mesh shall be in each direction, and where they come from. */
package org.trellis.adapt.metric;
