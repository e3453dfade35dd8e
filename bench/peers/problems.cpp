// The problems of the collection by Pinocchio's own dynamics from C++, in equal steps of RK4.
//
// Trees go through the articulated-body algorithm; points that stay together are constraints of its proximal
// dynamics.

#define PINOCCHIO_UNSUPPORTED_MESSAGE(message)
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/kinematics.hpp>

using Vector = Eigen::VectorXd;
using Vector3 = Eigen::Vector3d;

struct Link {
    long parent, turns, axis;
    double place[3], center[3], mass, inertia[3], start, speed, stiffness, damping, torque;
};
struct Pair {
    long i, j;
    double at_i[3], at_j[3], stiffness, damping, free_length;
};

static Vector3 vector(const double *x) { return Vector3(x[0], x[1], x[2]); }

struct Problem {
    pinocchio::Model model;
    pinocchio::Data data;
    Vector q0, v0, k, c, torque, tau;
    std::vector<Pair> springs;
    std::vector<pinocchio::RigidConstraintModel, Eigen::aligned_allocator<pinocchio::RigidConstraintModel>> pins;
    std::vector<pinocchio::RigidConstraintData, Eigen::aligned_allocator<pinocchio::RigidConstraintData>> pin_data;
    pinocchio::ProximalSettings proximal{1e-14, 1e-9, 20};
    pinocchio::container::aligned_vector<pinocchio::Force> forces;

    explicit Problem(const pinocchio::Model &made)
        : model(made), data(made), q0(made.nq), v0(made.nv), k(made.nv), c(made.nv), torque(made.nv),
          tau(made.nv), forces(made.joints.size(), pinocchio::Force::Zero()) {}

    void pull(const Pair &spring) {
        const auto &i = data.oMi[spring.i], &j = data.oMi[spring.j];
        const Vector3 at_i = vector(spring.at_i), at_j = vector(spring.at_j);
        const auto &v_i = data.v[spring.i], &v_j = data.v[spring.j];
        const Vector3 d = j.act(at_j) - i.act(at_i);
        const Vector3 rate = j.rotation() * (v_j.linear() + v_j.angular().cross(at_j)) -
                             i.rotation() * (v_i.linear() + v_i.angular().cross(at_i));
        const double length = d.norm();
        const Vector3 e = d / length;
        const Vector3 F = (spring.stiffness * (length - spring.free_length) + spring.damping * rate.dot(e)) * e;
        const Vector3 on_i = i.rotation().transpose() * F, on_j = -(j.rotation().transpose() * F);
        forces[spring.i] += pinocchio::Force(on_i, at_i.cross(on_i));
        forces[spring.j] += pinocchio::Force(on_j, at_j.cross(on_j));
    }

    const Vector &accelerations(const Vector &q, const Vector &v) {
        tau = torque;
        tau.array() -= k.array() * q.array() + c.array() * v.array();
        if (springs.empty() && pins.empty())
            return pinocchio::aba(model, data, q, v, tau);
        if (!springs.empty()) {
            pinocchio::forwardKinematics(model, data, q, v);
            for (auto &force : forces)
                force.setZero();
            for (const Pair &spring : springs)
                pull(spring);
        }
        if (pins.empty())
            return pinocchio::aba(model, data, q, v, tau, forces);
        if (!springs.empty()) // its constrained dynamics takes no forces: they become torques of the joints
            add_forces();
        return pinocchio::constraintDynamics(model, data, q, v, tau, pins, pin_data, proximal);
    }

    void add_forces() { // all axes are z, in the plane: the moment about each of them
        for (pinocchio::JointIndex on = 1; on < forces.size(); ++on) {
            const pinocchio::Force world = data.oMi[on].act(forces[on]);
            for (pinocchio::JointIndex joint = on; joint > 0; joint = model.parents[joint]) {
                const Vector3 place = data.oMi[joint].translation();
                tau[model.idx_vs[joint]] += (world.angular() - place.cross(world.linear()))[2];
            }
        }
    }
};

extern "C" void *problem_new(
    long n, const Link *links, const double *gravity, long n_pins, const Pair *pins, long n_springs, const Pair *springs) {
    using namespace pinocchio;
    Model model;
    model.gravity.linear() = vector(gravity);
    for (long m = 0; m < n; ++m) {
        const Link &link = links[m];
        Model::JointModel joint;
        if (link.turns == 1)
            joint = link.axis == 0 ? Model::JointModel(JointModelRX()) : link.axis == 1 ? Model::JointModel(JointModelRY())
                                                                        : Model::JointModel(JointModelRZ());
        else
            joint = link.axis == 0 ? Model::JointModel(JointModelPX()) : link.axis == 1 ? Model::JointModel(JointModelPY())
                                                                        : Model::JointModel(JointModelPZ());
        const SE3 place(Eigen::Matrix3d::Identity(), vector(link.place));
        const JointIndex made = model.addJoint(link.parent + 1, joint, place, "joint" + std::to_string(m));
        const Eigen::Matrix3d inertia = vector(link.inertia).asDiagonal();
        model.appendBodyToJoint(made, Inertia(link.mass, vector(link.center), inertia), SE3::Identity());
    }
    Problem *problem = new Problem(model);
    for (long m = 0; m < n; ++m) {
        problem->q0[m] = links[m].start;
        problem->v0[m] = links[m].speed;
        problem->k[m] = links[m].stiffness;
        problem->c[m] = links[m].damping;
        problem->torque[m] = links[m].torque;
    }
    for (long m = 0; m < n_pins; ++m) {
        const SE3 at_i(Eigen::Matrix3d::Identity(), vector(pins[m].at_i));
        const SE3 at_j(Eigen::Matrix3d::Identity(), vector(pins[m].at_j));
        problem->pins.emplace_back(CONTACT_3D, problem->model, pins[m].i + 1, at_i, pins[m].j + 1, at_j, LOCAL);
        problem->pin_data.emplace_back(problem->pins.back());
    }
    for (long m = 0; m < n_springs; ++m) {
        problem->springs.push_back(springs[m]);
        problem->springs.back().i += 1;
        problem->springs.back().j += 1;
    }
    if (n_pins)
        initConstraintDynamics(problem->model, problem->data, problem->pins, problem->pin_data);
    return problem;
}

extern "C" void problem_free(void *problem) { delete static_cast<Problem *>(problem); }

// The coordinates at all samples, so many steps apart; written to `out`, n_samples + 1 rows.
extern "C" void problem_rk4(void *given, double h, long per_interval, long n_samples, double *out) {
    Problem &problem = *static_cast<Problem *>(given);
    const long n = problem.model.nv;
    Vector q = problem.q0, v = problem.v0, at(n);
    Vector v2(n), v3(n), v4(n), a1(n), a2(n), a3(n), a4(n);
    Eigen::Map<Vector>(out, n) = q;
    for (long sample = 1; sample <= n_samples; ++sample) {
        for (long m = 0; m < per_interval; ++m) {
            a1 = problem.accelerations(q, v);
            v2 = v + 0.5 * h * a1;
            at = q + 0.5 * h * v;
            a2 = problem.accelerations(at, v2);
            v3 = v + 0.5 * h * a2;
            at = q + 0.5 * h * v2;
            a3 = problem.accelerations(at, v3);
            v4 = v + h * a3;
            at = q + h * v3;
            a4 = problem.accelerations(at, v4);
            q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        Eigen::Map<Vector>(out + sample * n, n) = q;
    }
}
