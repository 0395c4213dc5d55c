// Lees-Edwards boundaries (J. Phys. C 5, 1921 (1972)): the box is periodic, but its images beyond the two faces across
// the gradient move along the flow, with U = rate * (edge along the gradient), so the fluid is sheared without walls.
//
//   image above: x + Delta(t) e_flow + L e_gradient, v + U e_flow;   Delta(t) = U t;   image below: the opposite
//
// The lattice of images is the box' own with the second edge replaced by (Delta(t), L, 0): so are unwrapped positions,
// r + image_flow L_flow + image_gradient (Delta, L, 0) + image_third L_third.
//
// Coordinates do not wrap along the gradient: the box fills the lower half of their range, as between walls. Images are
// ghosts. Between two builds of the neighbour list particles may be beyond a face; a build puts them back.
#pragma once

namespace mesowarp {

// u_flow = rate * (x_gradient - L / 2). What a deck's [shear] says.
struct Shear {
  bool on = false;
  int flow = 0, gradient = 1;  // axes
  double rate = 0.0;           // 1 / time
};

}  // namespace mesowarp
