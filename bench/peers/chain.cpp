// The chain of rods by Pinocchio's articulated-body algorithm: hinges about z in space, steps of RK4.

#include <pinocchio/algorithm/aba.hpp>

using Vector = Eigen::VectorXd;

struct Chain {
    pinocchio::Model model;
    pinocchio::Data data;
    Vector zero;

    explicit Chain(const pinocchio::Model &made)
        : model(made), data(made), zero(Vector::Zero(made.nv)) {}

    const Vector &accelerations(const Vector &q, const Vector &v) {
        return pinocchio::aba(model, data, q, v, zero);
    }
};

extern "C" void *chain_new(int n, double l, double m, double g, double J_along, double J) {
    pinocchio::Model model;
    model.gravity.linear() << 0.0, -g, 0.0;
    const Eigen::Vector3d center(l / 2, 0.0, 0.0);
    const Eigen::Matrix3d inertia = Eigen::Vector3d(J_along, J, J).asDiagonal();
    pinocchio::JointIndex parent = 0;
    for (int k = 0; k < n; ++k) {
        const Eigen::Vector3d arm(k ? l : 0.0, 0.0, 0.0);
        const pinocchio::SE3 place(Eigen::Matrix3d::Identity(), arm);
        parent = model.addJoint(parent, pinocchio::JointModelRZ(), place, "hinge" + std::to_string(k));
        model.appendBodyToJoint(parent, pinocchio::Inertia(m, center, inertia), pinocchio::SE3::Identity());
    }
    return new Chain(model);
}

extern "C" void chain_free(void *chain) { delete static_cast<Chain *>(chain); }

// Relative angles after so many steps from rest; written to q.
extern "C" void chain_rk4(void *given, double h, long steps, double *angles) {
    Chain &chain = *static_cast<Chain *>(given);
    const long n = chain.model.nv;
    Vector q = Vector::Zero(n), v = Vector::Zero(n), at(n), speed(n);
    Vector v2(n), v3(n), v4(n), a1(n), a2(n), a3(n), a4(n);
    for (long step = 0; step < steps; ++step) {
        a1 = chain.accelerations(q, v);
        v2 = v + 0.5 * h * a1;
        at = q + 0.5 * h * v;
        a2 = chain.accelerations(at, v2);
        v3 = v + 0.5 * h * a2;
        at = q + 0.5 * h * v2;
        a3 = chain.accelerations(at, v3);
        v4 = v + h * a3;
        at = q + h * v3;
        a4 = chain.accelerations(at, v4);
        q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    Eigen::Map<Vector>(angles, n) = q;
}
